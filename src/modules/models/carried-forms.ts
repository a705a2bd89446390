/** Schemas of the opaque data that a model's server requires back, as `carried.ts` reads and keeps them. */
import { z } from 'zod'

/** Metadata of a call, by the name of the provider. */
export const Metadata = z.record(z.string(), z.record(z.string(), z.json()))

/** The opaque data of one answer. */
const Carried = z.object({
  reasoning: z.string(),
  /** Metadata by the ids of the calls. */
  calls: z.record(z.string(), Metadata),
})
export type Carried = z.output<typeof Carried>

/** The opaque data with the key of the model that it belongs to, with that model's settings. */
export const OwnedCarried = Carried.extend({ model: z.string() })
export type OwnedCarried = z.output<typeof OwnedCarried>

/** The opaque data of one reply, by the names of its steps. */
export const CarriedBySteps = z.record(z.string(), OwnedCarried)
export type CarriedBySteps = z.output<typeof CarriedBySteps>
