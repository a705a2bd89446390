import { useMediaQuery } from '@mantine/hooks'

/** Whether the window is as narrow as a phone's: there is one column, and filters stand in a sheet. */
export function usePhone(): boolean {
  return useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false })
}

/** Whether the rows of tables are of two lines, without heads: what a value is of must be told by itself. */
export function useNarrowRows(): boolean {
  return useMediaQuery('(max-width: 800px)', false, { getInitialValueInEffect: false })
}
