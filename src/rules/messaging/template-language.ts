/**
 * Which of a template's language versions a run gets: the first language wanted that has one, exactly
 * or as a region of it (`ar` finds `ar_EG`). Undefined when none of them has.
 */
export function pickLanguage<Version extends { language: string }>(
  versions: readonly Version[],
  wanted: readonly (string | null)[],
): Version | undefined {
  for (const language of wanted) {
    if (!language) continue
    const found =
      versions.find((version) => version.language === language) ??
      versions.find((version) => version.language.startsWith(`${language}_`))
    if (found) return found
  }
  return undefined
}
