import { accountApi } from './resources.ts'

const own = document.querySelector<HTMLMetaElement>('meta[name="wasla-version"]')?.content ?? ''
let isOld = false

/**
 * Asks the service which version of the dashboard it has, to find out whether this tab is outdated. Called when the
 * stream of changes reconnects.
 */
export async function checkVersion(): Promise<void> {
  try {
    const { version } = await accountApi.read('/dashboard')
    isOld = version !== null && own !== '' && version !== own
  } catch {
    // A failed check is repeated at the next reconnect.
  }
}

/**
 * Returns whether the tab runs an older version than the service. Such a tab reloads the page at the next navigation.
 */
export function isOldTab(): boolean {
  return isOld
}
