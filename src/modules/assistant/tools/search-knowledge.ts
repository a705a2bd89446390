import type { Context } from '../../../infra/context.ts'
import { searchKnowledge, type FoundChunk } from '../../knowledge/search-knowledge.ts'
import { KNOWLEDGE_SEARCH } from '../../../core/limits/knowledge.ts'
import type { OfferedTool } from '../../../rules/assistant/offered-tool.ts'
import { cleanText } from '../../../rules/text/json-text.ts'
import type { Tool, ToolResult } from './tool.ts'

const NAME = 'search_knowledge'

const OFFERED: OfferedTool = {
  name: NAME,
  description: `Searches what the business has written down: delivery, prices, hours, rules, products. Use it before you state any fact of the business. Give up to ${KNOWLEDGE_SEARCH.wordings} wordings of what is asked: the customer's own words, other words that mean the same, and the other language, Arabic or English. Name the numbers of the pieces you used, as [1].`,
  parameters: {
    type: 'object',
    properties: {
      wordings: {
        type: 'array',
        items: { type: 'string', maxLength: KNOWLEDGE_SEARCH.wordingChars },
        minItems: 1,
        maxItems: KNOWLEDGE_SEARCH.wordings,
      },
    },
    required: ['wordings'],
    additionalProperties: false,
  },
}

/** The tool that searches the company's knowledge. Spec: Assistant › Knowledge. */
export const SEARCH_KNOWLEDGE: Tool = {
  offer: () => Promise.resolve([OFFERED]),
  isNamed: (name) => name === NAME,
  async use({ db }: Context, { companyId }, _name, args): Promise<ToolResult> {
    const wordings = readWordings(args)
    if (wordings.length === 0) {
      return failure(
        `Give "wordings": 1 to ${KNOWLEDGE_SEARCH.wordings} texts that are searched for.`,
      )
    }
    const found = await searchKnowledge(db.kysely, { companyId, wordings })
    const chunks = found.map(({ number, chunkId, sourceId, title, heading, score }) => {
      return { number, chunkId, sourceId, title, heading, score }
    })
    return { text: formatFound(found), isDone: true, hasEffect: false, data: { wordings, chunks } }
  },
}

/** Returns the wordings to search for, up to the limit. */
function readWordings(args: unknown): string[] {
  const given = typeof args === 'object' && args !== null && 'wordings' in args ? args.wordings : []
  const texts = (Array.isArray(given) ? given : [given]).filter((text) => typeof text === 'string')
  return texts
    .map((text) => cleanText(text).trim().slice(0, KNOWLEDGE_SEARCH.wordingChars))
    .filter((text) => text !== '')
    .slice(0, KNOWLEDGE_SEARCH.wordings)
}

function formatFound(found: readonly FoundChunk[]): string {
  if (found.length === 0) {
    return 'Nothing was found. Search once with other words; if that finds nothing either, say that you do not know it, or hand over. State no fact of your own.'
  }
  return found
    .map(({ number, title, heading, body }) => `[${number}] ${heading ?? title}\n${body}`)
    .join('\n\n')
}

const failure = (text: string): ToolResult => ({ text, isDone: false, hasEffect: false })
