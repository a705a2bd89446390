import { useMediaQuery } from '@mantine/hooks'

/** Whether the window is too narrow for a map: a phone, or a tablet held upright with its side bar. */
export function useNarrow(): boolean {
  return useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false })
}
