/**
 * Derives the colours of a public page from the two that a merchant chooses. It selects the text colours, so that every
 * text is readable on any choice.
 */
import { PAGE_LIMITS } from '../../core/limits/pages.ts'

/** The colours of a page as `#rrggbb`. */
export type Palette = {
  /** The background of the page. `ink` and `muted` are text on it. */
  ground: string
  ink: string
  muted: string
  /** The background of fields and cards. Text that is readable on the ground is readable on it. */
  surface: string
  /**
   * The colour of actions and selections. `onAccent` is text on it, `accentInk` the accent as text and edge on the
   * ground.
   */
  accent: string
  onAccent: string
  accentInk: string
  /** The background of a selected item with text in `accentInk`. */
  soft: string
  /** The colour of errors as text on the ground. */
  bad: string
  /** The edges of fields and cards, on the ground. */
  edge: string
}

type Colour = readonly [red: number, green: number, blue: number]

/** The background of a page without a chosen one. */
export const GROUND = '#f7f7f5'
/** The accent of a page without a chosen one. */
export const ACCENT = '#0b5f73'
const DARK: Colour = [21, 25, 28]
const LIGHT: Colour = [255, 255, 255]
const BAD: Colour = [149, 27, 21]
const GREY: Colour = [134, 141, 146]
/** The maximum share of the accent in its tint. */
const SOFT = 0.12
/** The share of the ground in muted text, before the contrast is checked. */
const MUTED = 0.3
const STEPS = 50

/**
 * Returns the colours of a page with enough contrast, from a company's accent and background. Spec: Public pages ›
 * Colours.
 * @param named as `#rrggbb`, or null where the merchant chose none
 */
export function makePalette(named: { accent: string | null; ground: string | null }): Palette {
  const ground = read(named.ground ?? GROUND)
  const accent = read(named.accent ?? ACCENT)
  const ink = inkOn(ground)
  // White is lighter than any ground with dark text.
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

/** Returns the ink with the better contrast; pure black when neither soft ink reaches the required contrast. */
function inkOn(ground: Colour): Colour {
  const dark = contrast(DARK, ground)
  const light = contrast(LIGHT, ground)
  if (Math.max(dark, light) < PAGE_LIMITS.textContrast) return [0, 0, 0]
  return dark >= light ? DARK : LIGHT
}

/** Returns the colour with the smallest share of `ink` that reaches the contrast. */
function until(colour: Colour, ink: Colour, ground: Colour, min: number): Colour {
  for (let step = 0; step < STEPS; step++) {
    const mixed = mix(colour, ink, step / STEPS)
    if (contrast(mixed, ground) >= min) return mixed
  }
  return ink
}

/** Returns the surface with the largest share of the colour that keeps the text readable. */
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

/** Returns the contrast by WCAG 2.2, from 1 for equal colours to 21 for black and white. */
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
