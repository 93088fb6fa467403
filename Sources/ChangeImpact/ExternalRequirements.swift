/// The requirements of protocols of the standard library, Foundation and the testing libraries.
enum ExternalRequirements {
    /// The modules without other requirements.
    static let modules: Set<String> = [
        "Swift", "Foundation", "FoundationEssentials", "XCTest", "Testing", "Glibc", "Musl", "Android", "Bionic",
        "Darwin",
        "WinSDK", "CRT", "ucrt", "WASILibc", "Dispatch", "Synchronization", "_Concurrency", "_StringProcessing",
    ]

    /// Returns a Boolean value that indicates whether code of these modules, or the compiler, may call a member.
    static func contains(_ name: String) -> Bool { name.hasPrefix("_") || names.contains(name[...]) }

    private static let names = Set(
        """
        ActorType AllCases ArrayLiteralElement AsyncIterator BooleanLiteralType Bound Compared DecodingConfiguration
        Duration Element Elements EncodingConfiguration Exponent ExtendedGraphemeClusterLiteralType Failure
        FloatLiteralType FormatInput FormatOutput ID Index Indices Instant IntegerLiteralType Iterator Key Magnitude
        MaskStorage MessageType Output ParseInput ParseOutput RawExponent RawSignificand RawValue ReferenceType
        RegexOutput Regions SIMD16Storage SIMD2Storage SIMD32Storage SIMD4Storage SIMD64Storage SIMD8Storage
        SIMDMaskScalar Scalar Strategy Stride StringInterpolation StringLiteralType SubSequence Subject
        TestScopeProvider UTF16View UTF8View UnicodeScalarLiteralType UnicodeScalarView Value Words Wrapped
        addProduct addingProduct addingReportingOverflow advanced allCases allKeys append appendInterpolation
        appendLiteral archiver archiverDidFinish archiverWillFinish asUnownedSerialExecutor asUnownedTaskExecutor
        attemptRecovery bigEndian binade bitWidth buildArray buildBlock buildEither buildExpression buildFinalResult
        buildLimitedAvailability buildOptional buildPartialBlock byteSwapped cache callAsFunction characters
        checkIsolated codingKey codingPath comments compare connection consuming container contains copy copyBytes
        count currentIndex customMirror debugDescription decode decodeIfPresent decodeMarkdown decodeNil
        decodingConfiguration description discreteInput distance dividedReportingOverflow dividingFullWidth duration
        dynamicallyCall elements encode encodeConditional encodeIfPresent encodeNil encodeTestArgument
        encodingConfiguration endIndex enqueue errorCode errorDescription errorDomain errorUserInfo
        estimatedAttachmentByteCount evaluate exponent exponentBitCount exponentBitPattern failureReason fileManager
        firstRange floatingPointClass formIndex formIntersection formRemainder formSquareRoot
        formSymmetricDifference formTruncatingRemainder formUnion format greatestFiniteMagnitude handle hasPrefix
        hasSuffix hash hashValue helpAnchor id index indices infinity inheritedByAddedText input insert intValue
        intersection invalidationConditions invokeTest isAtEnd isCanonical isDisjoint isEmpty isEqual isFinite
        isInfinite isIsolatingCurrentContext isLess isLessThanOrEqualTo isMultiple isNaN isNormal isProxy
        isRecursive isSameExclusiveExecutionContext isSignalingNaN isSigned isSubnormal isSubset isSuperset
        isTotallyOrdered isZero lastRange leadingZeroBitCount leastNonzeroMagnitude leastNormalMagnitude listener
        littleEndian locale lock lowercased magnitude main makeAsyncIterator makeIterator markdownName max maximum
        maximumMagnitude mergeAttributes min minimum minimumMagnitude minimumResolution multipliedFullWidth
        multipliedReportingOverflow mutableCopy name nan negate nestedContainer nestedUnkeyedContainer nestedWaiter
        netService next nextDown nextUp nonzeroBitCount now order parse parseStrategy parser parserDidEndDocument
        parserDidStartDocument partition pi playgroundDescription preferredName prepare progress projectedValue
        provideScope quotientAndRemainder radix rawValue recoveryOptions recoverySuggestion regex regions relative
        remainder remainderReportingOverflow remove removeAll removeFirst removeSubrange replaceAttributes
        replaceSubrange reserveCapacity resetBytes round rounded roundingMode run runBoundaries runs scalarCount
        scale scopeProvider setAttributes setUp setUpWithError shared sharedUnownedExecutor sign signalingNaN
        significand significandBitCount significandBitPattern significandWidth signum singleValueContainer sleep
        spawn squareRoot startIndex stream stringValue subtract subtracting subtractingReportingOverflow
        superDecoder superEncoder supportsSecureCoding swapAt symmetricDifference tearDown tearDownWithError
        testBundleDidFinish testBundleWillStart testCase testCaseDidFinish testCaseWillStart testDescription
        testSuiteDidFinish testSuiteWillStart trailingZeroBitCount truncatingRemainder ulp ulpOfOne unarchiver
        unarchiverDidFinish unarchiverWillFinish underestimatedCount unicodeScalars union unkeyedContainer unlock
        unownedExecutor update uppercased urlSession userInfo utf16 utf8 waiter withCString
        withContiguousMutableStorageIfAvailable withContiguousStorageIfAvailable withUnsafeBytes words wrappedValue
        write zero
        """.split { $0 == " " || $0 == "\n" })
}
