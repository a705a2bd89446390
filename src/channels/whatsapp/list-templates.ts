import type {
  ProviderError,
  TemplateComponent,
  TemplateInfo,
  WhatsAppConnection,
} from '../channel-adapter.ts'
import { PROVIDER_LIMITS } from '../../limits.ts'
import { callGraph, explainFailure } from './call-graph.ts'
import type { GraphClient } from './call-graph.ts'
import type { Fields } from './read-values.ts'
import { given, readFields, readId, readJson, readList, readText } from './read-values.ts'

const FIELDS = 'id,name,language,status,category,parameter_format,components'

/** The provider did not list its templates; `error` says how that is to be taken. */
export class TemplatesNotListed extends Error {
  readonly error: ProviderError
  constructor(error: ProviderError) {
    super(error.message)
    this.name = 'TemplatesNotListed'
    this.error = error
  }
}

/**
 * All templates of the business account, in any status, page after page up to a bound.
 * Throws `TemplatesNotListed`: a list that lacks pages would look like templates deleted.
 */
export async function listTemplates(
  client: GraphClient,
  connection: WhatsAppConnection,
): Promise<TemplateInfo[]> {
  const templates: TemplateInfo[] = []
  let after: string | undefined
  for (let page = 0; page < PROVIDER_LIMITS.templatePages; page += 1) {
    const result = await callGraph(client, connection, {
      path: [connection.businessAccountId, 'message_templates'],
      query: {
        fields: FIELDS,
        limit: String(PROVIDER_LIMITS.templatesPerPage),
        ...(after === undefined ? {} : { after }),
      },
    })
    const answer = result.outcome === 'answered' ? readFields(readJson(result.body)) : {}
    const isPage =
      result.outcome === 'answered' && result.status < 300 && Array.isArray(answer.data)
    if (!isPage) {
      throw new TemplatesNotListed(explainFailure(result, connection))
    }
    const items = readList(answer.data)
    templates.push(...items.flatMap((item) => readTemplateInfo(readFields(item)) ?? []))
    const next = readText(readFields(readFields(answer.paging).cursors).after)
    // The last page may name a cursor too: its page is then empty or the same again.
    if (items.length === 0 || next === undefined || next === after) {
      return templates
    }
    after = next
  }
  return templates
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
  return given<TemplateComponent>({
    type: readText(fields.type) ?? 'UNKNOWN',
    format: readText(fields.format),
    text: readText(fields.text),
    buttons: buttons.length === 0 ? undefined : buttons.map(readButton),
  })
}

function readButton(fields: Fields): NonNullable<TemplateComponent['buttons']>[number] {
  return given<{ type: string; text?: string; url?: string }>({
    type: readText(fields.type) ?? 'UNKNOWN',
    text: readText(fields.text),
    url: readText(fields.url),
  })
}
