import { useMediaQuery } from '@mantine/hooks'

/** Returns whether the window is too narrow for a map: a phone, or a tablet in portrait with its side bar. */
export function useNarrow(): boolean {
  return useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false })
}
