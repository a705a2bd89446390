import { z } from 'zod'
import type { StepDefinition } from './step-design.ts'

const schema = z.object({ kind: z.literal('end') })

/** The step that ends the run as completed. Spec: Flows › Steps. */
export const END = {
  schema,
  exits: () => ({}),
  enter: () => ({ kind: 'end' }),
} satisfies StepDefinition<z.infer<typeof schema>>
