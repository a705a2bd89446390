import { startSimulator, type Simulator } from '../../simulators/start-simulator.ts'

type Options = Parameters<typeof startSimulator>[0]

/** Starts the simulator on a port of its own, without numbers, a log or a journal unless told. */
export const startPlayed = (
  options: Pick<Options, 'clock'> & Partial<Options>,
): Promise<Simulator> =>
  startSimulator({ port: 0, journalFile: null, log: () => {}, numbers: [], ...options })
