import type { Context } from '../../src/context.ts'
import { pauseHooks as switchHooks } from '../../src/hooks/pause-hooks.ts'
import { onDatabase } from './command.ts'

export const pauseHooks = onDatabase('pause-hooks', async (context: Context) => {
  await switchHooks(context, { isPaused: true })
  console.log('Hooks are paused: every request is answered 503 until resume-hooks.')
})

export const resumeHooks = onDatabase('resume-hooks', async (context: Context) => {
  await switchHooks(context, { isPaused: false })
  console.log('Hooks are running.')
})
