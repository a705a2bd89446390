import { accountApi } from './resources.ts'

const own = document.querySelector<HTMLMetaElement>('meta[name="wasla-version"]')?.content ?? ''
let isOld = false

/** Asks whether the service has a newer dashboard than this tab; to be called when it comes back. */
export async function askVersion(): Promise<void> {
  try {
    const { version } = await accountApi.read('/dashboard')
    isOld = version !== null && own !== '' && version !== own
  } catch {
    // Whoever cannot be asked is asked again the next time.
  }
}

/** The tab is of an older version: its next page is loaded anew, and not only drawn. */
export function isOldTab(): boolean {
  return isOld
}
