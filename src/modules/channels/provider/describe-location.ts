import { cutCodePoints } from '../../../rules/text/json-text.ts'
import { readText } from './read-values.ts'

const LOCATION_CHARS = 300

/** Describes a location: by name and address, else by coordinates. Returns null without any. */
export function describeLocation(location: {
  name: unknown
  address: unknown
  latitude: unknown
  longitude: unknown
}): string | null {
  const words = [readText(location.name), readText(location.address)].filter(
    (word) => word !== undefined,
  )
  const { latitude, longitude } = location
  const coordinates =
    typeof latitude === 'number' && typeof longitude === 'number'
      ? [`${latitude}, ${longitude}`]
      : []
  const [place] = words.length > 0 ? [words.join(', ')] : coordinates
  return place === undefined ? null : cutCodePoints(place, LOCATION_CHARS)
}
