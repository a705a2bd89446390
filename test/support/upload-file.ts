import type { FileView } from '../../src/contract/dashboard/file.ts'
import type { Problem } from '../../src/contract/dashboard/problem.ts'
import type { Answer, Member } from './dashboard.ts'
import type { World } from './test-service.ts'

export const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100, 7)])

/** Posts a file to the dashboard's API as a program does, and returns what is answered. */
export async function postFile<Body>(
  world: Pick<World, 'url'>,
  { token }: Pick<Member, 'token'>,
  path: string,
  bytes: Buffer | string,
  type = 'application/octet-stream',
): Promise<Answer<Body>> {
  const response = await fetch(`${world.url}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body: Buffer.from(bytes) as Uint8Array<ArrayBuffer>,
  })
  const { status, headers } = response
  return { status, headers, body: (await response.json()) as Body }
}

/** Uploads a file for messages and flows. */
export function askUpload(
  world: Pick<World, 'url'>,
  member: Member,
  companyId: string,
  {
    bytes = PNG,
    query = {},
    type,
  }: { bytes?: Buffer; query?: Record<string, string>; type?: string } = {},
): Promise<Answer<FileView & Problem>> {
  const asked = new URLSearchParams(query).toString()
  return postFile(world, member, `/companies/${companyId}/files?${asked}`, bytes, type)
}

export async function uploadFile(
  world: Pick<World, 'url'>,
  member: Member,
  companyId: string,
  options: Parameters<typeof askUpload>[3] = {},
): Promise<string> {
  const { status, body } = await askUpload(world, member, companyId, options)
  if (status !== 201) throw new Error(`the upload was answered ${status} ${body.code}`)
  return body.id
}
