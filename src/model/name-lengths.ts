/** How long names may be, in Unicode code points. */

/** Of the full path of a namespace or tag, with its separators. */
export const MAX_PATH_CODE_POINTS = 233

export const MAX_USERNAME_CODE_POINTS = 128
