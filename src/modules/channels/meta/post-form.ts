import { FILE_ENGINE } from '../../../core/limits/files.ts'
import type { FileToSend } from '../channel-adapter.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import { openMultipartForm } from '../provider/request-body.ts'
import { callGraph, type GraphExchange, type GraphConnection } from './call-graph.ts'

/**
 * Posts a form with a file that is streamed from the store, within the deadline of uploads.
 * @throws when the file cannot be read
 */
export async function postForm(
  client: ProviderClient,
  connection: GraphConnection,
  {
    path,
    file,
    ...contents
  }: {
    path: readonly string[]
    fields: Readonly<Record<string, string>>
    fileField: string
    fileName: string
    file: FileToSend
  },
): Promise<GraphExchange> {
  const form = await openMultipartForm(file, contents)
  const deadlineMs = FILE_ENGINE.uploadMs
  return callGraph(client, connection, { path, form, deadlineMs }).finally(form.close)
}
