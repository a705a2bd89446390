/** The name of every setting. `.env.example` explains them; `config.ts` reads them. */
export const SETTINGS = [
  'NODE_ENV',
  'HOST',
  'PORT',
  'BASE_URL',
  'DATABASE_URL',
  'DATABASE_POOL',
  'DATA_FOLDER',
  'ENCRYPTION_KEYS',
  'TRUSTED_PROXIES',
  'KEEP_ALIVE_SECONDS',
  'STOP_DELAY_SECONDS',
  'PROJECTS_PER_ACCOUNT',
  'EGRESS_ALLOW',
  'EGRESS_ALLOW_IN_PRODUCTION',
  'EGRESS_DENY',
  'EXTRA_CA_FILE',
  'WHATSAPP_BASE_URL',
  'WHATSAPP_API_VERSION',
  'TELEGRAM_BASE_URL',
  'MESSENGER_BASE_URL',
  'INSTAGRAM_BASE_URL',
  'WHATSAPP_QR_BRIDGE',
  'WHATSAPP_QR_BRIDGE_SECRET',
  'MODEL_KIND',
  'MODEL_BASE_URL',
  'MODEL_API_KEY',
  'MODEL_NAME',
  'MODEL_TRANSCRIPTION_NAME',
  'MODEL_READS_IMAGES',
  'MODEL_TOKENS_PER_DAY',
  'GUARD_OBSERVE',
  'DEMONSTRATION',
  'SIMULATOR_PORT',
  'RECEIVER_PORT',
  'LOG_LEVEL',
  'SMTP_URL',
  'MAIL_FROM',
  'METRICS_TOKEN',
  'CELL_CODE',
  'FILES_S3_ENDPOINT',
  'FILES_S3_BUCKET',
  'FILES_S3_REGION',
  'FILES_S3_ACCESS_KEY_ID',
  'FILES_S3_SECRET_ACCESS_KEY',
] as const

/** The name of a setting. */
export type Setting = (typeof SETTINGS)[number]

/** Maximum edit distance at which an unknown name counts as a misspelt setting. */
const MAX_WRONG_LETTERS = 3

/**
 * Returns a sentence for each name of the `.env` file that is no setting, with the most similar setting if one is
 * close. The environment is not checked, because most of it belongs to other programs.
 */
export function findUnknownSettings(names: readonly string[]): string[] {
  return names
    .filter((name) => !SETTINGS.some((setting) => setting === name))
    .map((name) => {
      const [nearest] = SETTINGS.map((setting) => ({
        setting,
        wrong: editDistance(name.toUpperCase(), setting),
      })).toSorted((a, b) => a.wrong - b.wrong)
      const meant = nearest!.wrong <= MAX_WRONG_LETTERS ? ` Did you mean ${nearest!.setting}?` : ''
      return `.env sets ${name}, which is not a setting of Wasla and is ignored.${meant} .env.example has all of them.`
    })
}

/** Returns the edit distance of two names: letters to insert, delete or change (Levenshtein). */
function editDistance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [row, letter] of [...one].entries()) {
    const here = [row + 1]
    for (const [at, wanted] of [...other].entries()) {
      here.push(
        Math.min(above[at]! + (letter === wanted ? 0 : 1), above[at + 1]! + 1, here[at]! + 1),
      )
    }
    above = here
  }
  return above.at(-1)!
}
