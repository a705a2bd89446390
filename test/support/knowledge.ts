/** What the assistant knows, as members fill it through the dashboard's API. */
import type {
  FoundView,
  SourceView,
  SourceWithText,
} from '../../src/contract/dashboard/knowledge.ts'
import type { Answer, Member } from './dashboard.ts'
import type { World } from './test-service.ts'
import type { Shop } from './shop.ts'

type Company = Pick<Shop, 'companyId'>

export const knowledgeOf = ({ companyId }: Company) => `/companies/${companyId}/knowledge`

/** Adds a text and has it read. */
export async function addText(
  world: Pick<World, 'service'>,
  member: Member,
  shop: Company,
  { title, text }: { title: string; text: string },
): Promise<SourceWithText> {
  const path = `${knowledgeOf(shop)}/sources`
  const { body } = await member.ask<SourceWithText>('POST', path, { kind: 'text', title, text })
  await world.service.processAll()
  return body
}

/** Adds a web page and has it fetched. */
export async function addPage(
  world: Pick<World, 'service'>,
  member: Member,
  shop: Company,
  url: string,
): Promise<SourceWithText> {
  const path = `${knowledgeOf(shop)}/sources`
  const { body } = await member.ask<SourceView>('POST', path, { kind: 'page', url })
  await world.service.processAll()
  return sourceOf(member, shop, body.id)
}

/** Uploads a document, as it is; nothing has read it yet. */
export async function uploadDocument<Body = SourceView>(
  world: Pick<World, 'url'>,
  member: Pick<Member, 'token'>,
  shop: Company,
  {
    name,
    bytes,
    type = 'application/octet-stream',
  }: { name: string; bytes: Buffer | string; type?: string },
): Promise<Answer<Body>> {
  const path = `${knowledgeOf(shop)}/files?name=${encodeURIComponent(name)}`
  const response = await fetch(`${world.url}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${member.token}`, 'content-type': type },
    body: Buffer.from(bytes) as Uint8Array<ArrayBuffer>,
  })
  const { status, headers } = response
  return { status, headers, body: (await response.json()) as Body }
}

/** The titles or headings of what a question finds, best first. */
export async function findsBy(member: Member, shop: Company, question: string): Promise<string[]> {
  const path = `${knowledgeOf(shop)}/questions`
  const { body } = await member.ask<{ items: FoundView[] }>('POST', path, { question })
  return body.items.map(({ heading, title }) => heading ?? title)
}

export async function sourceOf(
  member: Member,
  shop: Company,
  sourceId: string,
): Promise<SourceWithText> {
  const path = `${knowledgeOf(shop)}/sources/${sourceId}`
  return (await member.ask<SourceWithText>('GET', path)).body
}
