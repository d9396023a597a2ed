//! Jobs: processes that the system ends together.

use std::io;
use std::ptr;
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION,
    JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOB_OBJECT_LIMIT_PROCESS_MEMORY,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
    SetInformationJobObject,
};
use windows_sys::Win32::System::Threading::GetCurrentProcess;

/// Puts this process into a job. From now on, all processes that it starts, and those that they start, end with it
/// however it ends, and each of these processes can use only so many bytes of memory.
pub fn end_children_with_this_process(memory: u64) -> io::Result<()> {
    // SAFETY: without attributes and without a name, both pointers may be null.
    let job = unsafe { CreateJobObjectW(ptr::null(), ptr::null()) };
    if job.is_null() {
        return Err(io::Error::last_os_error());
    }
    let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
        | JOB_OBJECT_LIMIT_PROCESS_MEMORY
        // Otherwise a window would ask what to do about a crash, and the process would wait.
        | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
    limits.ProcessMemoryLimit = usize::try_from(memory).unwrap_or(usize::MAX);
    let length = u32::try_from(size_of_val(&limits)).unwrap_or(0);
    // SAFETY: `job` is open, and the pointer and the length are those of the structure that this kind of information has.
    let is_set = unsafe {
        SetInformationJobObject(
            job,
            JobObjectExtendedLimitInformation,
            (&raw const limits).cast(),
            length,
        )
    };
    // SAFETY: this handle of the current process is always valid.
    let this = unsafe { GetCurrentProcess() };
    // SAFETY: both handles are valid. `job` is never closed, so that the system closes it when this process ends.
    let is_in = is_set != 0 && unsafe { AssignProcessToJobObject(job, this) } != 0;
    if is_in { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;
    use std::{env, process};

    /// The environment variable of the process that joins the job, which would otherwise end all tests.
    const IS_CHILD: &str = "QUADRILLE_JOINS_A_JOB";

    #[test]
    fn a_job_can_be_joined() {
        if env::var_os(IS_CHILD).is_some() {
            process::exit(i32::from(end_children_with_this_process(1 << 30).is_err()));
        }
        let mut child = Command::new(env::current_exe().unwrap());
        child.args(["--exact", "job::tests::a_job_can_be_joined"]).env(IS_CHILD, "");
        assert!(child.status().unwrap().success());
    }
}
