import { z } from 'zod'
import type { StepDefinition } from './step-design.ts'

const schema = z.object({ kind: z.literal('resolve') })

/**
 * The step that resolves the conversation and ends the run; other runs in it are cancelled. Spec: Flows › Steps;
 * reading F36.
 */
export const RESOLVE = {
  schema,
  exits: () => ({}),
  enter: () => ({ kind: 'end', act: { kind: 'resolve' } }),
} satisfies StepDefinition<z.infer<typeof schema>>
