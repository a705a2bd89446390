/** Runs in each worker: property tests try the values that follow from the run's seed. */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.SEED) })
