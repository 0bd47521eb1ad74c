#!/usr/bin/env python3
"""Installs, uses and removes the Debian packages in a bare system: try_packages.py [PACKAGES [MODELS]]

PACKAGES is the folder of `./dev package` (build/packages), MODELS one with the small models (that of `inkread models
path`). Needs root and debootstrap. The command is installed by the instructions of the Dockerfile's last stage, which
are read from it, so both have the same steps. Takes a minute where the network is fast.
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SUITE = "bookworm"
SAMPLE = ROOT / "samples" / "receipt.png"
SAMPLE_HAS = "INKREAD BOOKSHOP"


def say(text):
    print(f"== {text}", flush=True)


class Stage:
    """The last stage of a Dockerfile: (instruction, arguments) of each line."""

    def __init__(self, text):
        self.user, self.folder, self.entry = "root", "/", []
        self.steps = []
        for line in re.sub(r"\\\n", "", text).splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            instruction, arguments = line.split(maxsplit=1)
            if instruction == "FROM":
                self.steps = []
            else:
                self.steps.append((instruction, arguments))

    def run(self, system, sources):
        """sources: folders of earlier stages by their paths there."""
        for instruction, arguments in self.steps:
            say(f"{instruction} {arguments}")
            if instruction == "COPY":
                _, source, target = shlex.split(arguments)  # --from=STAGE
                system.copy(sources[source], target)
            elif instruction == "RUN":
                system.run("sh", "-c", arguments)
            elif instruction == "USER":
                self.user = arguments
            elif instruction == "WORKDIR":
                self.folder = arguments
                system.run("mkdir", "-p", arguments)
            elif instruction == "ENTRYPOINT":
                self.entry = json.loads(arguments)
            elif instruction not in ("CMD", "EXPOSE"):
                sys.exit(f"Dockerfile: {instruction} is an instruction that this test does not know")


class System:
    """A bare Debian in a folder."""

    def __init__(self, folder):
        self.folder = folder
        sources = [path for path in (pathlib.Path("/etc/apt/sources.list"),
                                     *sorted(pathlib.Path("/etc/apt/sources.list.d").glob("*"))) if path.is_file()]
        mirror = re.search(r"^(?:URIs:|deb (?:\[.*?\] )?)\s*(\S+)", "\n".join(path.read_text() for path in sources), re.M)
        say(f"debootstrap {SUITE}")
        subprocess.run(["debootstrap", "--variant=minbase", SUITE, str(folder), mirror.group(1)], check=True,
                       stdout=subprocess.DEVNULL)
        # The package sources of this machine, and how it reaches them.
        for path in sources:
            self.copy(path, str(path))
        settings = subprocess.run(["apt-config", "dump", "Acquire"], check=True, capture_output=True, text=True).stdout
        (folder / "etc/apt/apt.conf.d/99acquire").write_text(settings)
        for path in ("/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt"):
            if os.path.exists(path):
                self.copy(pathlib.Path(path), path)

    def copy(self, source, target):
        to = self.folder / target.lstrip("/")
        to.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, to, dirs_exist_ok=True)
        else:
            shutil.copy(source, to)

    def run(self, *command, user="root", folder="/", stdin=None, check=True):
        inside = ["env", "-i", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                  "DEBIAN_FRONTEND=noninteractive", "LANG=C.UTF-8"]
        line = " ".join(map(shlex.quote, command))
        if user != "root":
            line = f"exec setpriv --reuid={user} --regid={user} --init-groups {line}"
        done = subprocess.run(["chroot", str(self.folder), *inside, "sh", "-c", f"cd {shlex.quote(folder)} && {line}"],
                              input=stdin, capture_output=True, timeout=1200)
        if check and done.returncode != 0:
            sys.exit(f"{line}: exit code {done.returncode}\n{done.stdout.decode()}\n{done.stderr.decode()}")
        return done

    def files(self):
        return {str(path.relative_to(self.folder)) for path in self.folder.rglob("*")}


def expect(condition, what):
    print(f"   {what}: {'yes' if condition else 'NO'}", flush=True)
    if not condition:
        sys.exit(1)


def try_command(system, stage):
    def inkread(*arguments, **options):
        return system.run(*stage.entry, *arguments, user=stage.user, folder=stage.folder, **options)

    sample = SAMPLE.read_bytes()
    expect(inkread("--version").stdout.startswith(b"inkread "), "the command runs")
    text = inkread("read", "-", stdin=sample).stdout.decode()
    expect(SAMPLE_HAS in text.splitlines(), "another user than root reads the sample from standard input")
    pdf = inkread("read", "--pdf", "-", stdin=sample).stdout
    expect(SAMPLE_HAS in inkread("read", "-", stdin=pdf).stdout.decode(), "a page of a PDF is read")
    for path in ("usr/share/man/man1/inkread.1.gz", "usr/share/bash-completion/completions/inkread",
                 "usr/share/zsh/vendor-completions/_inkread", "usr/share/fish/vendor_completions.d/inkread.fish"):
        # Slim images and this system leave manual pages out where their configuration says so.
        expect((system.folder / path).exists(), f"/{path} is there")


def try_libraries(system, packages):
    system.copy(packages, "/packages")
    system.run("sh", "-c", "apt-get update && apt-get install --yes --no-install-recommends /packages/libinkread*.deb "
                           "cmake g++ ninja-build pkg-config")
    system.copy(ROOT / "examples", "/examples")
    system.copy(SAMPLE, "/sample.png")
    system.run("sh", "-c", "cmake -G Ninja -S /examples -B /tmp/examples && cmake --build /tmp/examples")
    for name in ("read_file", "read_file_c"):
        text = system.run(f"/tmp/examples/{name}", "/sample.png").stdout.decode()
        expect(SAMPLE_HAS in text.splitlines(), f"example {name}, built by CMake, reads the sample")
    system.run("sh", "-c", "cc /examples/read_file_c.c -o /tmp/read_file_c $(pkg-config --cflags --libs inkread-c) && "
                           "c++ -std=c++20 /examples/read_file.cc -o /tmp/read_file "
                           "$(pkg-config --cflags --libs inkread inkread-codec)")
    for name in ("read_file", "read_file_c"):
        text = system.run(f"/tmp/{name}", "/sample.png").stdout.decode()
        expect(SAMPLE_HAS in text.splitlines(), f"example {name}, built with pkg-config, reads the sample")


def try_removal(system, before):
    system.run("apt-get", "purge", "--yes", "inkread", "libinkread0", "libinkread-dev")
    # The models and the user are the Dockerfile's, /packages is this test's.
    ours = ("usr/local/share/inkread", "home/inkread", "packages", "var/mail/inkread", "tmp/")
    left = sorted(name for name in system.files() - before if "inkread" in name and not name.startswith(ours))
    expect(left == [], f"nothing is left{'' if not left else ', but ' + ', '.join(left)}")


def main():
    packages = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "packages").resolve()
    if not list(packages.glob("inkread_*.deb")):
        sys.exit(f"no packages in {packages}; ./dev package makes them")
    if len(sys.argv) > 2:
        models = pathlib.Path(sys.argv[2])
    else:
        command = ROOT / "build" / "package" / "apps" / "inkread"
        models = pathlib.Path(subprocess.run([str(command), "models", "path"], check=True, capture_output=True,
                                             text=True).stdout.strip())
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        sys.exit("needs root and debootstrap")
    with tempfile.TemporaryDirectory(prefix="inkread_packages_") as scratch:
        wanted = pathlib.Path(scratch) / "models"
        shutil.copytree(models / "small", wanted / "small")
        system = System(pathlib.Path(scratch) / "system")
        os.chmod(system.folder, 0o755)
        before = system.files()
        stage = Stage((ROOT / "Dockerfile").read_text())
        stage.run(system, {"/inkread/build/packages": packages, "/models": wanted})
        say("The command")
        try_command(system, stage)
        say("The libraries")
        try_libraries(system, packages)
        say("Removal")
        try_removal(system, before)


if __name__ == "__main__":
    main()
