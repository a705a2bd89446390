import type { DemonstrationFiles } from './files.ts'
import { startExample, type Example } from './start-example.ts'

/** Starts the shop's receiver of events. */
export function startReceiver(
  files: DemonstrationFiles,
  port: number,
  onLine: (line: string) => void,
): Promise<Example> {
  const options = {
    port,
    certificate: files.certificateFile,
    key: files.keyFile,
    'secret-file': files.secretFile,
  }
  return startExample(
    {
      program: 'receiver.mjs',
      options,
      who: "the demonstration's receiver",
      setting: 'RECEIVER_PORT to another one, or PORT, which moves all of them',
    },
    onLine,
  )
}
