/**
 * A simulator in a process of its own, to be killed: `node simulator-process.ts <journal file>
 * <webhook URL>`. Prints its Graph base URL when it is up.
 */
import { startSimulator } from '../start-simulator.ts'
import { NUMBER, TEMPLATES } from './business.ts'

const [journalFile = '', webhookUrl = ''] = process.argv.slice(2)

const simulator = await startSimulator({
  port: 0,
  journalFile,
  numbers: [{ ...NUMBER, webhookUrl, templates: TEMPLATES }],
  clock: { now: () => new Date() },
  log: (line) => console.error(line),
  stepMs: 0,
})
console.log(simulator.graphBaseUrl)
