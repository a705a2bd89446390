import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { ingestPayload } from '../support/ingest-payload.ts'
import { loadWhatsAppPayloads } from '../support/whatsapp-payloads.ts'
import { createWorldOn } from '../support/world.ts'
import { startPrivateDatabase } from './private-database.ts'
import type { ConformanceCase, Report } from './report.ts'

/**
 * Posts each recorded payload of a provider, signed, to a service in process. A payload of a channel that the service
 * has no adapter for fails.
 */
export async function run(
  cases: ConformanceCase[],
  report: Report,
  _file: unknown,
  folder: string,
): Promise<void> {
  const recorded = loadWhatsAppPayloads(pathToFileURL(`${folder}/`))!
  const asked = recorded.payloads.filter(({ file }) => cases.some(({ id }) => id === file))
  for (const { id, channel } of cases) {
    if (channel !== 'whatsapp') report.fail(id, `the service has no channel "${String(channel)}"`)
  }
  if (asked.length === 0) return
  const world = await createWorldOn(await startPrivateDatabase())
  try {
    for (const payload of asked) {
      const play = async () => {
        const { actual, expected } = await ingestPayload(world, recorded, payload)
        if (isDeepStrictEqual(actual, expected)) return 'as expected'
        return `${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`
      }
      await report.check(payload.file, play, ['as expected'])
    }
  } finally {
    await world.close()
  }
}
