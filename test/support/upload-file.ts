import type { FileView } from '../../src/contract/dashboard/file.ts'
import type { Problem } from '../../src/contract/dashboard/problem.ts'
import type { Member } from './dashboard.ts'
import type { World } from './test-service.ts'

export const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100, 7)])

/** Uploads as a program does. */
export async function askUpload(
  world: Pick<World, 'url'>,
  member: Member,
  companyId: string,
  {
    bytes = PNG,
    query = {},
    type = 'application/octet-stream',
  }: { bytes?: Buffer; query?: Record<string, string>; type?: string } = {},
): Promise<{ status: number; body: FileView & Problem }> {
  const asked = new URLSearchParams(query).toString()
  const response = await fetch(`${world.url}/api/companies/${companyId}/files?${asked}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${member.token}`, 'content-type': type },
    body: new Uint8Array(bytes),
  })
  return { status: response.status, body: (await response.json()) as FileView & Problem }
}

/** The id of a new upload. */
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
