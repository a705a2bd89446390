import { z } from 'zod'
import type { StepDesign } from './step-design.ts'

const schema = z.object({ kind: z.literal('end') })

export const END = {
  schema,
  exits: () => ({}),
  enter: () => ({ kind: 'end' }),
} satisfies StepDesign<z.infer<typeof schema>>
