/** Lets a test of the dashboard's own functions load what stands beside components: JSX, and styles, which are left out. */
import { register } from 'node:module'

register('./tsx-hooks.mjs', import.meta.url)
