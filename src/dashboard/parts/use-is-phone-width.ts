import { useMediaQuery } from '@mantine/hooks'

/** Returns whether the window is as narrow as a phone's, where there is one column and filters are in a sheet. */
export function useIsPhoneWidth(): boolean {
  return useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false })
}

/** Returns whether table rows have two lines and no headings, so that each value must say what it is. */
export function useNarrowRows(): boolean {
  return useMediaQuery('(max-width: 800px)', false, { getInitialValueInEffect: false })
}
