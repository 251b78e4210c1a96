import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Engine } from "./engine";
import { Remotes } from "./remotes";

const TARGET = process.env.CARGO_TARGET_DIR ?? resolve(import.meta.dirname, "../../target");
const PROGRAM = process.env.SIGNALBOXD ?? join(TARGET, "debug/signalboxd");
const START_MS = 20_000;
const STOP_MS = 12_000;

/** Brisk settings: the practice remotes need seconds, not minutes. Only the tests sweep, so that a lost callback stays lost. */
const PACE: [RegExp, string][] = [
  [/^short = .*$/m, 'short = "250ms"'],
  [/^short_count = .*$/m, "short_count = 120"],
  [/^poll = .*$/m, 'poll = "5s"'],
  [/^sweep = .*$/m, 'sweep = "6h"'],
  [/^min_age = .*$/m, 'min_age = "10ms"'],
  [/^backoff = .*$/gm, 'backoff = "100ms"'],
];

interface Running {
  process: ChildProcess;
  ready: { [key: string]: unknown };
  log: string[];
}

const started = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of started) child.kill("SIGKILL");
});

/** The practice remotes and an engine on them, in a directory of their own. */
export class World {
  readonly dir = mkdtempSync(join(tmpdir(), "signalbox-e2e-"));
  private sandbox?: Running;
  private served?: Running;
  private listen = "127.0.0.1:0";

  static async start(settings: [RegExp, string][] = []): Promise<World> {
    if (!existsSync(PROGRAM)) {
      throw new Error(`There is no ${PROGRAM}. Build it with "cargo build -p signalboxd", or name it in SIGNALBOXD.`);
    }
    const world = new World();
    world.sandbox = await run("sandbox", [
      "--data-dir",
      world.dir,
      "--pipeline-seconds",
      "1",
      "--deploy-seconds",
      "0.5",
    ]);
    world.settle([...PACE, ...settings]);
    await world.startEngine();
    return world;
  }

  get remotes(): Remotes {
    return new Remotes(urlOf(this.sandbox?.ready.panel));
  }

  get url(): string {
    return String(this.served?.ready.url);
  }

  /** Token of the operator, which is new at each start of the engine. */
  get token(): string {
    return String(this.served?.ready.api_token);
  }

  /** Token of a person in the settings; it stays the same. */
  tokenOf(person: "alice" | "bob"): string {
    return readFileSync(join(this.dir, "secrets", `person-${person}`), "utf8").trim();
  }

  /** The engine as the operator calls it. */
  get engine(): Engine {
    return new Engine(this.url, this.token);
  }

  async startEngine(): Promise<void> {
    this.served = await run("serve", ["--data-dir", this.dir, "--listen", this.listen]);
    this.listen = new URL(this.url).host;
  }

  async stopEngine(): Promise<void> {
    await stop(this.served);
  }

  /** As when the power fails. */
  killEngine(): Promise<void> {
    return stop(this.served, "SIGKILL");
  }

  /** Runs a command line that the console shows, such as `signalboxd restore …`; gives what it says. */
  typed(line: string): string {
    const [program, ...args] = line.split(" ");
    if (program !== "signalboxd") throw new Error(`${line} is no command of signalboxd`);
    return execFileSync(PROGRAM, args, { encoding: "utf8" });
  }

  async close(): Promise<void> {
    await stop(this.served);
    await stop(this.sandbox);
    rmSync(this.dir, { recursive: true, force: true });
  }

  /** The last lines that the engine logged. */
  log(): string {
    return (this.served?.log ?? []).slice(-40).join("");
  }

  private settle(changes: [RegExp, string][]): void {
    const file = join(this.dir, "signalbox.toml");
    let text = readFileSync(file, "utf8");
    for (const [from, to] of changes) {
      if (!text.match(from)) throw new Error(`The practice settings have no ${from}`);
      text = text.replace(from, to);
    }
    writeFileSync(file, text);
  }
}

function urlOf(remote: unknown): string {
  return String((remote as { url?: unknown } | undefined)?.url);
}

/** Starts the program and waits for its one line of JSON. */
function run(command: string, args: string[]): Promise<Running> {
  const child = spawn(PROGRAM, [command, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  started.add(child);
  const log: string[] = [];
  child.stderr.on("data", (bytes) => log.push(String(bytes)));
  return new Promise((done, fail) => {
    const refuse = (why: string) => fail(new Error(`signalboxd ${command} ${why}\n${log.join("")}`));
    const timer = setTimeout(() => refuse(`was not ready after ${START_MS / 1000} s`), START_MS);
    child.once("exit", (code) => {
      started.delete(child);
      clearTimeout(timer);
      refuse(`ended with ${code}`);
    });
    let text = "";
    child.stdout.on("data", (bytes) => {
      text += String(bytes);
      if (!text.includes("\n")) return;
      clearTimeout(timer);
      done({ process: child, ready: JSON.parse(text.slice(0, text.indexOf("\n"))), log });
    });
  });
}

function stop(running: Running | undefined, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  const child = running?.process;
  if (!child || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((done) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    child.once("exit", () => {
      clearTimeout(timer);
      done();
    });
    child.kill(signal);
  });
}
