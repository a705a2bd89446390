import type { ContactImportView } from '../../src/contract/dashboard/contact-import.ts'
import type { Answer, Member } from './dashboard.ts'
import type { World } from './service.ts'
import type { Shop } from './shop.ts'

/** Uploads a file of contacts, as it is. */
export async function uploadContacts<Body = ContactImportView>(
  world: Pick<World, 'url'>,
  member: Pick<Member, 'token'>,
  shop: Pick<Shop, 'companyId'>,
  content: string | Buffer,
  { type = 'text/csv' }: { type?: string } = {},
): Promise<Answer<Body>> {
  const response = await fetch(
    `${world.url}/api/companies/${shop.companyId}/contact-imports?name=customers.csv`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${member.token}`, 'content-type': type },
      body: Buffer.from(content) as Uint8Array<ArrayBuffer>,
    },
  )
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Body,
  }
}
