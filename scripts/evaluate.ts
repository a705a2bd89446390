/**
 * Plays the cases of `evaluation/` against a language model and checks the outcome of each: the requests that the
 * shop's API received, bookings, handovers, and the messages to the customer.
 *
 *   npm run evaluate                                  the demonstration's script: no language model
 *   MODEL_NAME=… MODEL_BASE_URL=… MODEL_API_KEY=… npm run evaluate -- --times 4
 *   npm run evaluate -- --only agreement --times 1    a group, or one case by its id
 *   npm run evaluate -- --json results.json           everything that was said and called, too
 *
 * `--at-once N` plays N cases concurrently (1 by default), each in a separate service. `--cases FOLDER` contains
 * `shop.json` and `cases/`. The exit code is 0 when all cases were played, however many passed, and 1 when a case is
 * invalid or could not be played.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { readConfig } from '../src/app/config.ts'
import { connectionConfig } from '../src/infra/database/connect.ts'
import { startEmbeddedPostgres } from '../src/infra/database/embedded/start-embedded-postgres.ts'
import type { OperatorModel } from '../src/modules/models/model-access.ts'
import { SCRIPTED_MODEL_NAME, startScriptedModel } from '../simulators/index.ts'
import type { Case, EvaluationShop } from './evaluate/case-form.ts'
import { createEvaluationWorld, type EvaluationWorld } from './evaluate/evaluation-world.ts'
import { checkCase } from './evaluate/check-case.ts'
import { playCase, type Played } from './evaluate/play-case.ts'
import { EVALUATION, readCases, WrongCase } from './evaluate/read-cases.ts'
import { scoresOf, formatResults, type CaseResult } from './evaluate/format-results.ts'

const { values: options } = parseArgs({
  options: {
    cases: { type: 'string', default: EVALUATION },
    only: { type: 'string' },
    times: { type: 'string', default: '4' },
    'at-once': { type: 'string', default: '1' },
    json: { type: 'string' },
  },
})

function whole(name: string, value: string, max: number): number {
  const number = Number(value)
  if (Number.isInteger(number) && number >= 1 && number <= max) return number
  throw new WrongCase(`--${name} must be a whole number from 1 to ${max}, not "${value}"`)
}

type Job = { one: Case; time: number }
type Run = Played & { id: string; time: number; unmet: string[]; seconds: number }

async function evaluate(): Promise<void> {
  const times = whole('times', options.times, 100)
  const atOnce = whole('at-once', options['at-once'], 16)
  const { shop, cases } = readCases(path.resolve(options.cases), options.only ?? null)
  const folder = mkdtempSync(path.join(tmpdir(), 'wasla-evaluate-'))
  const own = readConfig({ ...process.env, DATA_FOLDER: folder }, [], folder).models.model
  const scripted = own ? null : await startScriptedModel()
  const model: OperatorModel = own
    ? { ...own, isScripted: false }
    : {
        kind: 'openai_compatible',
        modelName: SCRIPTED_MODEL_NAME,
        baseUrl: scripted!.baseUrl,
        key: null,
        isScripted: true,
      }
  printModel(model)
  const postgres = await startEmbeddedPostgres({ dataFolder: folder, settings: { fsync: 'off' } })
  try {
    const jobs = cases.flatMap((one) => Array.from({ length: times }, (_, time) => ({ one, time })))
    const runs = await playAll(postgres.connection, model, { shop, jobs, atOnce })
    const results = cases.map(({ id, group, language, about }): CaseResult => {
      const unmet = runs.filter((run) => run.id === id).map((run) => run.unmet)
      return { id, group, language, about, unmet }
    })
    console.log(`\n${formatResults(results, times)}`)
    printModel(model)
    if (options.json !== undefined) {
      const { modelName, isScripted } = model
      const report = { model: modelName, isScripted, times, scores: scoresOf(results), runs }
      writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`)
    }
  } finally {
    await scripted?.close()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function printModel({ modelName, isScripted, baseUrl }: OperatorModel): void {
  console.log(
    isScripted
      ? 'The model is the demonstration’s script: no language model. It follows a few rules, repeats what a search\nfinds and hands over what it does not know, which is enough for some cases. Its figures tell whether all is in\nits place; they say nothing of any language model. MODEL_NAME, MODEL_BASE_URL and MODEL_API_KEY name one.'
      : `The model is ${modelName}${baseUrl === null ? '' : ` at ${URL.parse(baseUrl)?.host ?? baseUrl}`}.`,
  )
}

/** Plays all cases. Each worker has a separate service and clock, so that time passes for one case alone. */
async function playAll(
  connection: { host: string; port: number; user: string; database: string },
  model: OperatorModel,
  { shop, jobs, atOnce }: { shop: EvaluationShop; jobs: readonly Job[]; atOnce: number },
): Promise<Run[]> {
  const left = [...jobs]
  const runs: Run[] = []
  const work = async (_: unknown, worker: number) => {
    const around = await openWorld(connection, model, worker)
    try {
      await requireAnswer(around, model)
      for (let job = left.shift(); job; job = left.shift()) {
        const run = await playOnce(around, shop, job)
        runs.push(run)
        printRun(run, runs.length, jobs.length)
      }
    } finally {
      await around.close()
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, jobs.length) }, work))
  return runs
}

/** Checks that the model answers before any case is played: otherwise every case would fail. */
async function requireAnswer({ world }: EvaluationWorld, model: OperatorModel): Promise<void> {
  const answer = await world.service.models.open(model, 'operator').call(
    {
      instructions: [{ text: 'Answer in one word.' }],
      messages: [{ by: 'customer', text: 'Hello' }],
      tools: [],
      toolChoice: 'none',
      maxOutputTokens: 200,
    },
    new AbortController().signal,
  )
  if (answer.ok) return
  const status = answer.status === null ? '' : `, HTTP ${answer.status}`
  throw new WrongCase(
    `${model.modelName} did not answer a first question: ${answer.failure}${status}`,
  )
}

async function openWorld(
  connection: { host: string; port: number; user: string; database: string },
  model: OperatorModel,
  worker: number,
): Promise<EvaluationWorld> {
  const database = `evaluation_${worker}`
  const client = new pg.Client(connectionConfig(connection))
  await client.connect()
  await client.query(`create database ${database}`)
  await client.end()
  // The database is not dropped, because the whole server is deleted at the end.
  return createEvaluationWorld(
    { connection: { ...connection, database }, drop: () => Promise.resolve() },
    model,
  )
}

async function playOnce(
  around: EvaluationWorld,
  shop: EvaluationShop,
  { one, time }: Job,
): Promise<Run> {
  const began = performance.now()
  const played = await playCase(around, shop, one)
  const seconds = Number(((performance.now() - began) / 1_000).toFixed(1))
  return { id: one.id, time: time + 1, unmet: checkCase(one, played), seconds, ...played }
}

function printRun({ id, time, unmet, seconds }: Run, done: number, of: number): void {
  const verdict = unmet.length === 0 ? 'passed' : `not passed: ${unmet[0]}`
  console.log(`${done} of ${of}: ${id}, time ${time}, ${seconds} s, ${verdict}`)
}

try {
  await evaluate()
} catch (error) {
  if (!(error instanceof WrongCase)) throw error
  console.error(error.message)
  process.exitCode = 1
}
