import type { DemonstrationFiles } from './files.ts'
import { startExample, type Example } from './start-example.ts'

/** Starts the shop's API, from which a flow requests the state of an order. */
export function startMerchantApi(
  files: DemonstrationFiles,
  port: number,
  onLine: (line: string) => void,
): Promise<Example> {
  const options = {
    port,
    certificate: files.certificateFile,
    key: files.keyFile,
    'key-file': files.apiKeyFile,
  }
  return startExample(
    {
      program: 'merchant-api.mjs',
      options,
      who: "the shop's API of the demonstration",
      setting: 'RECEIVER_PORT, which it comes after, or PORT, which moves all of them',
    },
    onLine,
  )
}
