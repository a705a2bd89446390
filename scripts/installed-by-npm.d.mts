/** Returns whether npm has installed what a folder's `package-lock.json` asks for. */
export function isInstalledByNpm(folder: string, options: { withDev: boolean }): boolean
