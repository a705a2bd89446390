/** The forms of what a model's server wants back, as `carried.ts` reads and keeps them. */
import { z } from 'zod'

export const Metadata = z.record(z.string(), z.record(z.string(), z.json()))

/** Of one answer. */
const Carried = z.object({
  reasoning: z.string(),
  /** By the ids of the calls. */
  calls: z.record(z.string(), Metadata),
})
export type Carried = z.output<typeof Carried>

/** With the model that it is given back to, as it was set up when it answered. */
export const OwnedCarried = Carried.extend({ model: z.string() })
export type OwnedCarried = z.output<typeof OwnedCarried>

/** Of the answers of one reply, by the names of the steps that got them. */
export const CarriedBySteps = z.record(z.string(), OwnedCarried)
export type CarriedBySteps = z.output<typeof CarriedBySteps>
