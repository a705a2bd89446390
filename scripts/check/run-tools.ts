/** Runs several commands concurrently and reports all of them, whether they pass or fail. */
import { spawn } from 'node:child_process'

/** A command of a check. */
export type Tool = {
  name: string
  /** The program and its arguments. */
  command: readonly [string, ...string[]]
  /** Additional environment variables. */
  env?: Readonly<Record<string, string>>
}

/** The result of a tool. `output` is its standard output and standard error, interleaved. */
export type Outcome = { name: string; passed: boolean; seconds: number; output: string }

type Options = {
  /** Maximum number of concurrent tools. */
  atOnce: number
  /** Receives each line of the report. */
  print(line: string): void
}

/** Starts the tools in the given order, and returns their outcomes once all have ended. */
export async function runTools(
  tools: readonly Tool[],
  { atOnce, print }: Options,
): Promise<Outcome[]> {
  const waiting = [...tools]
  const outcomes: Outcome[] = []
  const work = async () => {
    for (let tool = waiting.shift(); tool; tool = waiting.shift()) {
      const outcome = await runTool(tool)
      outcomes.push(outcome)
      print(lineOf(outcome.name, outcome.passed ? 'passed' : 'FAILED', outcome.seconds))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  for (const { name, output } of outcomes.filter(({ passed }) => !passed)) {
    print(`\n── ${name} ──\n${output.trimEnd()}`)
  }
  return outcomes
}

/** Returns a line of the report, in columns. */
export function lineOf(name: string, state: string, seconds?: number): string {
  const time = seconds === undefined ? '' : `${seconds.toFixed(1).padStart(7)} s`
  return `${name.padEnd(20)}${state.padEnd(10)}${time}`.trimEnd()
}

/** Runs one tool to its end. It has failed when it cannot be started or exits with another code than 0. */
function runTool({ name, command: [program, ...given], env }: Tool): Promise<Outcome> {
  const start = performance.now()
  return new Promise((resolve) => {
    const child = spawn(program, given, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const take = (text: string) => {
      output += text
    }
    child.stdout.setEncoding('utf8').on('data', take)
    child.stderr.setEncoding('utf8').on('data', take)
    const end = (passed: boolean) =>
      resolve({ name, passed, seconds: (performance.now() - start) / 1_000, output })
    child.on('error', (error) => {
      take(`${error.message}\n`)
      end(false)
    })
    child.on('close', (code) => end(code === 0))
  })
}
