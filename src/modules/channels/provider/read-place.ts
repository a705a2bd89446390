import { cutCodePoints } from '../../../rules/text/json-text.ts'
import { readText } from './read-values.ts'

const PLACE_CHARS = 300

/** A location in words: its name and address, else where it lies; null when it says nothing. */
export function readPlace(told: {
  name: unknown
  address: unknown
  latitude: unknown
  longitude: unknown
}): string | null {
  const words = [readText(told.name), readText(told.address)].filter((word) => word !== undefined)
  const { latitude, longitude } = told
  const lies =
    typeof latitude === 'number' && typeof longitude === 'number'
      ? [`${latitude}, ${longitude}`]
      : []
  const [place] = words.length > 0 ? [words.join(', ')] : lies
  return place === undefined ? null : cutCodePoints(place, PLACE_CHARS)
}
