/**
 * The colours of a public page, of the two that a merchant names. Every text is readable whatever those are:
 * what is written on them, and what is written in them, is chosen here.
 */
import { PAGE_LIMITS } from '../../core/limits/pages.ts'

export type Palette = {
  /** Behind the page, and what is written on it. */
  ground: string
  ink: string
  muted: string
  /** Of fields and cards. What can be read on the ground can be read on it. */
  surface: string
  /** Act and selection: as a filling, what is written on it, and as writing and edge on the ground. */
  accent: string
  onAccent: string
  accentInk: string
  /** Behind what is chosen and written in `accentInk`. */
  soft: string
  /** What is wrong, written on the ground. */
  bad: string
  /** Edges of fields and cards, on the ground. */
  edge: string
}

type Colour = readonly [red: number, green: number, blue: number]

/** The colours of a page for which none were chosen. */
export const GROUND = '#f7f7f5'
export const ACCENT = '#0b5f73'
const DARK: Colour = [21, 25, 28]
const LIGHT: Colour = [255, 255, 255]
const BAD: Colour = [149, 27, 21]
const GREY: Colour = [134, 141, 146]
/** How much of the accent is in its tint, at the most. */
const SOFT = 0.12
/** How far muted text is on its way from the ink to the ground, before contrast is looked at. */
const MUTED = 0.3
const STEPS = 50

/**
 * @param named as `#rrggbb`, or null where the merchant named none.
 * Spec: Public pages › Colours.
 */
export function makePalette(named: { accent: string | null; ground: string | null }): Palette {
  const ground = read(named.ground ?? GROUND)
  const accent = read(named.accent ?? ACCENT)
  const ink = inkOn(ground)
  // White is lighter than any ground that is written on in dark letters.
  const surface = ink === LIGHT ? ground : LIGHT
  const text = (colour: Colour) => write(until(colour, ink, ground, PAGE_LIMITS.textContrast))
  const accentInk = until(accent, ink, ground, PAGE_LIMITS.textContrast)
  return {
    ground: write(ground),
    surface: write(surface),
    ink: write(ink),
    muted: text(mix(ink, ground, MUTED)),
    accent: write(accent),
    onAccent: write(inkOn(accent)),
    accentInk: write(accentInk),
    soft: write(tint(accent, surface, accentInk)),
    bad: text(BAD),
    edge: write(until(GREY, ink, ground, PAGE_LIMITS.edgeContrast)),
  }
}

/** Black or white itself where the softer of ours is not enough: one of the two always is. */
function inkOn(ground: Colour): Colour {
  const dark = contrast(DARK, ground)
  const light = contrast(LIGHT, ground)
  if (Math.max(dark, light) < PAGE_LIMITS.textContrast) return [0, 0, 0]
  return dark >= light ? DARK : LIGHT
}

/** As much of `ink` mixed in as the contrast needs. */
function until(colour: Colour, ink: Colour, ground: Colour, least: number): Colour {
  for (let step = 0; step < STEPS; step++) {
    const mixed = mix(colour, ink, step / STEPS)
    if (contrast(mixed, ground) >= least) return mixed
  }
  return ink
}

/** As much of the colour in the surface as leaves the text readable. */
function tint(colour: Colour, surface: Colour, text: Colour): Colour {
  for (let step = STEPS; step > 0; step--) {
    const mixed = mix(surface, colour, (SOFT * step) / STEPS)
    if (contrast(text, mixed) >= PAGE_LIMITS.textContrast) return mixed
  }
  return surface
}

function mix(one: Colour, other: Colour, share: number): Colour {
  const at = (channel: 0 | 1 | 2) =>
    Math.round(one[channel] + (other[channel] - one[channel]) * share)
  return [at(0), at(1), at(2)]
}

/** Of WCAG 2.2: from 1, the same, to 21, black and white. */
function contrast(one: Colour, other: Colour): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light! + 0.05) / (dark! + 0.05)
}

function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

const read = (text: string): Colour => [
  Number.parseInt(text.slice(1, 3), 16),
  Number.parseInt(text.slice(3, 5), 16),
  Number.parseInt(text.slice(5, 7), 16),
]
const write = (colour: Colour) =>
  `#${colour.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
