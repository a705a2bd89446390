import { ProviderRefused } from '../channel-adapter.ts'
import type { TemplateComponent, TemplateInfo, TemplatePage } from '../outbound.ts'
import { PROVIDER_LIMITS } from '../../../core/limits/messaging.ts'
import { callGraph, explainFailure } from '../meta/call-graph.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import type { WhatsAppConnection } from './connection.ts'
import type { Fields } from '../provider/read-values.ts'
import {
  withoutUndefined,
  readFields,
  readId,
  readProviderJson,
  readList,
  readText,
} from '../provider/read-values.ts'

const FIELDS = 'id,name,language,status,category,parameter_format,components'

/** Returns a page of the business account's templates, in any status. @throws ProviderRefused */
export async function listTemplates(
  client: ProviderClient,
  connection: WhatsAppConnection,
  after: string | null,
): Promise<TemplatePage> {
  const result = await callGraph(client, connection, {
    path: [connection.businessAccountId, 'message_templates'],
    query: {
      fields: FIELDS,
      limit: String(PROVIDER_LIMITS.templatesPerPage),
      ...(after === null ? {} : { after }),
    },
    answerBytes: PROVIDER_LIMITS.listBytes,
  })
  const answer = result.outcome === 'answered' ? readFields(readProviderJson(result.body)) : {}
  const isPage = result.outcome === 'answered' && result.status < 300 && Array.isArray(answer.data)
  if (!isPage) {
    throw new ProviderRefused(explainFailure(result, connection))
  }
  const items = readList(answer.data)
  const next = readText(readFields(readFields(answer.paging).cursors).after)
  return {
    templates: items.flatMap((item) => readTemplateInfo(readFields(item)) ?? []),
    // The last page may also have a cursor, to a page that is empty or the same.
    next: items.length === 0 || next === undefined || next === after ? null : next,
  }
}

function readTemplateInfo(fields: Fields): TemplateInfo | null {
  const providerTemplateId = readId(fields.id)
  const name = readText(fields.name)
  const language = readText(fields.language)
  if (providerTemplateId === undefined || name === undefined || language === undefined) {
    return null
  }
  const isNamed = readText(fields.parameter_format)?.toUpperCase() === 'NAMED'
  return {
    providerTemplateId,
    name,
    language,
    category: readText(fields.category) ?? 'UNKNOWN',
    status: readText(fields.status) ?? 'UNKNOWN',
    parameterFormat: isNamed ? 'NAMED' : 'POSITIONAL',
    components: readList(fields.components).map(readFields).map(readComponent),
  }
}

function readComponent(fields: Fields): TemplateComponent {
  const buttons = readList(fields.buttons).map(readFields)
  return withoutUndefined<TemplateComponent>({
    type: readText(fields.type) ?? 'UNKNOWN',
    format: readText(fields.format),
    text: readText(fields.text),
    buttons: buttons.length === 0 ? undefined : buttons.map(readButton),
  })
}

function readButton(fields: Fields): NonNullable<TemplateComponent['buttons']>[number] {
  return withoutUndefined<{ type: string; text?: string; url?: string }>({
    type: readText(fields.type) ?? 'UNKNOWN',
    text: readText(fields.text),
    url: readText(fields.url),
  })
}
