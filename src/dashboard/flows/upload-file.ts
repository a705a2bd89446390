import { Refusal } from '../app/api.ts'
import type { FileView } from '../../contract/dashboard/file.ts'
import type { Problem } from '../../contract/dashboard/problem.ts'
import { currentLanguage } from '../words/language.tsx'

/** Keeps a file for flows to send: its body is the file itself, which the typed client cannot carry. @throws Refusal */
export async function uploadFlowFile(companyId: string, file: File): Promise<FileView> {
  const query = new URLSearchParams({ name: file.name, purpose: 'flow' })
  let answer: Response
  try {
    answer = await globalThis.fetch(`/api/companies/${companyId}/files?${query}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/octet-stream',
        'accept-language': currentLanguage(),
      },
      body: file,
    })
  } catch {
    throw new Refusal(0, {})
  }
  const body: unknown = await answer.json().catch(() => ({}))
  if (answer.ok) return body as FileView
  throw new Refusal(answer.status, body as Partial<Problem>)
}
