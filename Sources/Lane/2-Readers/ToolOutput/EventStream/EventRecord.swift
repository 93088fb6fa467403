/// A record of Swift Testing's event stream. The values are slices of its line.
struct EventRecord {
    struct Location {
        var path = JSONText()
        var fileID = JSONText()
        var line = 0
        var column = 0
    }

    struct Message {
        var symbol = JSONText()
        var text = JSONText()
    }

    struct Issue {
        var isKnown = false
        var isFailure = true
        var severity = JSONText()
        var location: Location?
    }

    struct Case {
        var id: JSONText?
        var name: JSONText?
    }

    var isTest = false
    var isEvent = false
    /// The kind of the test (`suite` or `function`) or of the event.
    var kind = JSONText()
    var id = JSONText()
    var displayName: JSONText?
    var isParameterized = false
    var location: Location?
    var instant = 0.0
    var messages: [Message] = []
    var issue = Issue()
    /// The path of an attached file.
    var attachment: JSONText?
    /// The case of a parameterized test, from the experimental fields.
    var testCase = Case()

    /// Creates a record. Returns `nil` if the line is not a complete JSON object.
    init?(_ line: Bytes) {
        var cursor = JSONCursor(line)
        let isWhole = cursor.object { name, cursor in
            switch true {
            case name.equals("kind"):
                let kind = cursor.text() ?? JSONText()
                isTest = kind.raw.equals("test")
                isEvent = kind.raw.equals("event")
            case name.equals("payload"): return readPayload(&cursor)
            default: return cursor.skipValue()
            }
            return true
        }
        guard isWhole, isTest || isEvent else { return nil }
    }

    private mutating func readPayload(_ cursor: inout JSONCursor) -> Bool {
        cursor.object { name, cursor in
            switch true {
            case name.equals("kind"): kind = cursor.text() ?? JSONText()
            case name.equals("id"), name.equals("testID"): id = cursor.text() ?? JSONText()
            case name.equals("displayName"): displayName = cursor.text()
            case name.equals("isParameterized"): isParameterized = cursor.bool()
            case name.equals("sourceLocation"): location = Self.location(&cursor)
            case name.equals("instant"): readInstant(&cursor)
            case name.equals("messages"): return readMessages(&cursor)
            case name.equals("issue"): readIssue(&cursor)
            case name.equals("_testCase"): readCase(&cursor)
            case name.equals("attachment"), name.equals("_attachment"): readAttachment(&cursor)
            default: return cursor.skipValue()
            }
            return true
        }
    }

    private mutating func readInstant(_ cursor: inout JSONCursor) {
        _ = cursor.object { name, cursor in
            guard name.equals("absolute") else { return cursor.skipValue() }
            instant = cursor.number() ?? 0
            return true
        }
    }

    private mutating func readMessages(_ cursor: inout JSONCursor) -> Bool {
        cursor.array { cursor in
            var message = Message()
            let isWhole = cursor.object { name, cursor in
                switch true {
                case name.equals("symbol"): message.symbol = cursor.text() ?? JSONText()
                case name.equals("text"): message.text = cursor.text() ?? JSONText()
                default: return cursor.skipValue()
                }
                return true
            }
            messages.append(message)
            return isWhole
        }
    }

    private mutating func readIssue(_ cursor: inout JSONCursor) {
        _ = cursor.object { name, cursor in
            switch true {
            case name.equals("isKnown"): issue.isKnown = cursor.bool()
            case name.equals("isFailure"): issue.isFailure = cursor.bool()
            case name.equals("severity"): issue.severity = cursor.text() ?? JSONText()
            case name.equals("sourceLocation"): issue.location = Self.location(&cursor)
            default: return cursor.skipValue()
            }
            return true
        }
    }

    private mutating func readAttachment(_ cursor: inout JSONCursor) {
        _ = cursor.object { name, cursor in
            guard name.equals("path") else { return cursor.skipValue() }
            attachment = cursor.text()
            return true
        }
    }

    private mutating func readCase(_ cursor: inout JSONCursor) {
        _ = cursor.object { name, cursor in
            switch true {
            case name.equals("id"): testCase.id = cursor.text()
            case name.equals("displayName"): testCase.name = cursor.text()
            default: return cursor.skipValue()
            }
            return true
        }
    }

    private static func location(_ cursor: inout JSONCursor) -> Location? {
        var location = Location()
        let isWhole = cursor.object { name, cursor in
            switch true {
            case name.equals("filePath"), name.equals("_filePath"): location.path = cursor.text() ?? JSONText()
            case name.equals("fileID"): location.fileID = cursor.text() ?? JSONText()
            case name.equals("line"): location.line = Int(cursor.number() ?? 0)
            case name.equals("column"): location.column = Int(cursor.number() ?? 0)
            default: return cursor.skipValue()
            }
            return true
        }
        return isWhole ? location : nil
    }
}
