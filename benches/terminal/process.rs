//! Resource usage of a process, from `/proc`.

use std::fs;
use std::time::Duration;

/// The total of all threads.
#[derive(Clone, Copy, Default)]
pub struct Usage {
    pub cpu: Duration,
    /// Voluntary and involuntary context switches.
    pub switches: u64,
}

impl Usage {
    pub fn of(process: u32) -> Usage {
        let mut usage = Usage::default();
        for thread in fs::read_dir(format!("/proc/{process}/task")).unwrap() {
            let thread = thread.unwrap().path();
            let read = |file| fs::read_to_string(thread.join(file)).unwrap();
            let nanoseconds = read("schedstat").split(' ').next().unwrap().parse().unwrap();
            usage.cpu += Duration::from_nanos(nanoseconds);
            let status = read("status");
            usage.switches += field(&status, "voluntary_ctxt_switches");
            usage.switches += field(&status, "nonvoluntary_ctxt_switches");
        }
        usage
    }

    pub fn since(self, earlier: Usage) -> Usage {
        Usage {
            cpu: self.cpu.saturating_sub(earlier.cpu),
            switches: self.switches - earlier.switches,
        }
    }
}

/// In KiB.
pub fn resident(process: u32) -> u64 {
    field(&fs::read_to_string(format!("/proc/{process}/status")).unwrap(), "VmRSS")
}

fn field(status: &str, name: &str) -> u64 {
    let mut lines = status.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = lines.find(|(field, _)| *field == name).unwrap();
    value.split_whitespace().next().unwrap().parse().unwrap()
}
