import { register } from 'node:module'

/**
 * Lets a test of the dashboard's own functions import modules that also import JSX and styles. Styles are left
 * out.
 */
export function loadTsx(): void {
  register('./tsx-hooks.mjs', import.meta.url)
}
