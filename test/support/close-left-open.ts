/**
 * Runs in each worker, before each file: closes the worlds that the previous file left open, and restores the
 * globals and the environment that it replaced. The runner calls no `afterAll` of a file in which every test is
 * filtered out, by a name or by the tier.
 */
import { vi } from 'vitest'
import { leftOpen } from './left-open.ts'

for (const close of leftOpen()) await close()
vi.unstubAllGlobals()
vi.unstubAllEnvs()
