/**
 * A simulator in a separate process, for killing: `node simulator-process.ts <journal file> <webhook URL>`. It prints
 * its Graph base URL when it is ready.
 */
import { startSimulators } from '../index.ts'
import { NUMBER, TEMPLATES } from './business.ts'

const [journalFile = '', webhookUrl = ''] = process.argv.slice(2)

const numbers = [{ ...NUMBER, webhookUrl, templates: TEMPLATES }]
const { whatsApp } = await startSimulators(
  { clock: { now: () => new Date() }, log: (line) => console.error(line) },
  { whatsApp: { journalFile, numbers, stepMs: 0 } },
)
console.log(whatsApp.baseUrl)
