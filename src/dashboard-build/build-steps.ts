/** The steps of a build, each with the line that the builder writes when it begins and the service reads. */
export const BUILD_STEPS = {
  installing: "Installing the dashboard's packages (once)…",
  building: 'Building the dashboard…',
  packing: 'Packing the files of the dashboard…',
} as const

/** A step of a build. */
export type BuildStep = keyof typeof BUILD_STEPS

/** Returns the step that began last, read from the builder's output; null before the first. */
export function readBuildStep(written: string): BuildStep | null {
  const steps = Object.keys(BUILD_STEPS) as BuildStep[]
  return steps.findLast((step) => written.includes(BUILD_STEPS[step])) ?? null
}
