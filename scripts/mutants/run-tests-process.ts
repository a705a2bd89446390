/** Runs test files in a copy of the tree, repeatedly with one changed file: the child process of `runner.ts`. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { createVitest } from 'vitest/node'

/** A request to run test files, first with one file replaced. */
export type Question = { change: { file: string; text: string } | null; tests: string[] }
/** The result of a run: the first test file that failed, null when all have passed, and the duration. */
export type Answer = { failed: string | null; ms: number }

const [root = '', setupFile] = process.argv.slice(2)
process.chdir(root)
const vitest = await createVitest('test', {
  root,
  config: path.join(root, 'vitest.config.ts'),
  watch: false,
  reporters: [{}],
  maxWorkers: 1,
  retry: 0,
  // A new worker for each run, so that no state of the last mutant remains.
  isolate: true,
  testTimeout: 20_000,
  hookTimeout: 20_000,
  bail: 1,
  setupFiles: setupFile === undefined ? [] : [setupFile],
})

process.on('message', ({ change, tests }: Question) => {
  void answer(change, tests).then((given) => process.send?.(given))
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')

async function answer(change: Question['change'], tests: string[]): Promise<Answer> {
  if (change !== null) {
    const file = path.join(root, change.file)
    writeFileSync(file, change.text)
    vitest.invalidateFile(file)
  }
  // Failures of an earlier run would end this one at its first test.
  vitest.state.filesMap.clear()
  vitest.state.idMap.clear()
  const started = performance.now()
  const project = vitest.getRootProject()
  const specifications = tests.map((test) => project.createSpecification(path.join(root, test)))
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  const failed = testModules.find((module) => module.state() !== 'passed')
  const ms = Math.round(performance.now() - started)
  if (failed === undefined && unhandledErrors.length > 0) return { failed: tests[0] ?? '', ms }
  return { failed: failed === undefined ? null : path.relative(root, failed.moduleId), ms }
}
