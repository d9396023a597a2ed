# Homebrew formula for Linux and macOS, untested: brew install ./quadrille.rb after `sh assets/package/make` has replaced
# the @...@ placeholders. The addresses work only once the crates are published; a repository address is missing.
class Quadrille < Formula
  desc "Pencil-and-paper and dice games at one table, in a terminal"
  homepage "https://crates.io/crates/quadrille"
  url "https://static.crates.io/crates/quadrille/quadrille-@VERSION@.crate"
  sha256 "@SHA256@"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    # A .crate file is a tar.gz archive with one top-level folder.
    system "tar", "-xzf", Dir["*.crate"].first, "--strip-components=1" unless File.exist?("Cargo.toml")
    system "cargo", "build", "--locked", "--profile", "dist"
    bin.install "target/dist/quadrille"
    system "sh", "assets/package/make", "stage", bin/"quadrille", buildpath/"stage"
    man1.install Dir["stage/man/*.1"]
    bash_completion.install "stage/completions/quadrille"
    zsh_completion.install "stage/completions/_quadrille"
    fish_completion.install "stage/completions/quadrille.fish"
    doc.install Dir["stage/doc/*"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/quadrille --version")
  end
end
