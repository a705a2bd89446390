import { useMediaQuery } from '@mantine/hooks'

/** Whether the window is as narrow as a phone's: there is one column, and filters stand in a sheet. */
export function usePhone(): boolean {
  return useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false })
}
