import { pauseHooks as switchHooks } from '../../src/modules/hooks/pause-hooks.ts'
import { onDatabase } from './command.ts'

/** The command that makes every hook request fail with 503. */
export const pauseHooks = onDatabase('pause-hooks', async (context, _, { print }) => {
  await switchHooks(context, { isPaused: true })
  print('Hooks are paused. Every request gets 503 until you run resume-hooks.')
})

/** The command that ends the pause of hooks. */
export const resumeHooks = onDatabase('resume-hooks', async (context, _, { print }) => {
  await switchHooks(context, { isPaused: false })
  print('Hooks are running.')
})
