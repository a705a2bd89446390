/**
 * Returns the language version of a template for a run: the first wanted language that exists, exactly or as a region
 * (`ar` finds `ar_EG`). Undefined when none exists.
 */
export function pickTemplateVersion<Version extends { language: string }>(
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
