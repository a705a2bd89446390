/** The assistant's knowledge, as members fill it through the dashboard's API. */
import type * as Shown from '../../src/contract/dashboard/knowledge.ts'
import type { Answer, Member } from './dashboard.ts'
import type { World } from './test-service.ts'
import type { Shop } from './shop.ts'
import { postFile } from './upload-file.ts'

type Company = Pick<Shop, 'companyId'>

export const knowledgeOf = ({ companyId }: Company) => `/companies/${companyId}/knowledge`

export async function addText(
  world: Pick<World, 'service'>,
  member: Member,
  shop: Company,
  { title, text }: { title: string; text: string },
): Promise<Shown.SourceWithText> {
  const path = `${knowledgeOf(shop)}/sources`
  const { body } = await member.ask<Shown.SourceWithText>('POST', path, {
    kind: 'text',
    title,
    text,
  })
  await world.service.processAll()
  return body
}

/** Adds a web page and has it fetched. */
export async function addPage(
  world: Pick<World, 'service'>,
  member: Member,
  shop: Company,
  url: string,
): Promise<Shown.SourceWithText> {
  const path = `${knowledgeOf(shop)}/sources`
  const { body } = await member.ask<Shown.SourceView>('POST', path, { kind: 'page', url })
  await world.service.processAll()
  return sourceOf(member, shop, body.id)
}

/** Uploads a document. The service has not read it yet. */
export function uploadDocument<Body = Shown.SourceView>(
  world: Pick<World, 'url'>,
  member: Pick<Member, 'token'>,
  shop: Company,
  { name, bytes, type }: { name: string; bytes: Buffer | string; type?: string },
): Promise<Answer<Body>> {
  const path = `${knowledgeOf(shop)}/files?name=${encodeURIComponent(name)}`
  return postFile<Body>(world, member, path, bytes, type)
}

/** Returns the titles or headings of what a question finds, best first. */
export async function findsBy(member: Member, shop: Company, question: string): Promise<string[]> {
  const path = `${knowledgeOf(shop)}/questions`
  const { body } = await member.ask<{ items: Shown.FoundView[] }>('POST', path, { question })
  return body.items.map(({ heading, title }) => heading ?? title)
}

export async function sourceOf(
  member: Member,
  shop: Company,
  sourceId: string,
): Promise<Shown.SourceWithText> {
  const path = `${knowledgeOf(shop)}/sources/${sourceId}`
  return (await member.ask<Shown.SourceWithText>('GET', path)).body
}
