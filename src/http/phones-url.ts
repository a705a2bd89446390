/** The simulator has its page above the API that it plays. */
export function phonesUrlOf(simulatorBaseUrl: string | null): string | null {
  return simulatorBaseUrl && new URL('.', simulatorBaseUrl).href.replace(/\/$/, '')
}
