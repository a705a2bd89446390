import { z } from 'zod'
import type { StepDefinition } from './step-design.ts'

const schema = z.object({ kind: z.literal('end') })

export const END = {
  schema,
  exits: () => ({}),
  enter: () => ({ kind: 'end' }),
} satisfies StepDefinition<z.infer<typeof schema>>
