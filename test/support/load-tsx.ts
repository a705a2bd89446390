import { register } from 'node:module'

/** Lets a test of the dashboard's own functions import what stands beside components: JSX, and styles, which are left out. */
export function loadTsx(): void {
  register('./tsx-hooks.mjs', import.meta.url)
}
