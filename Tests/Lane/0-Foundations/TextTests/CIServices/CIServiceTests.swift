import Testing
import Text

@Suite struct CIServiceTests {
    @Test(arguments: CIService.all)
    func aServiceIsRecognizedByItsOwnVariable(_ service: CIService) {
        #expect(CIService.current(in: [service.variable: "true"])?.name == service.name)
        #expect(CIService.current(in: [service.variable: "true", "CI": "false"])?.name == service.name)
        #expect(CIService.isActive(in: [service.variable: "true"]))
        for value in ["", "false"] {
            #expect(CIService.current(in: [service.variable: value])?.name == nil)
            #expect(!CIService.isActive(in: [service.variable: value]))
        }
    }

    @Test func unknownServicesHaveNoName() {
        #expect(CIService.current(in: ["CI": "1"])?.name == nil)
        #expect(CIService.isActive(in: ["CI": "1"]))
        #expect(!CIService.isActive(in: ["CI": "false"]) && !CIService.isActive(in: ["CI": ""]))
        #expect(!CIService.isActive(in: ["HOME": "/root"]))
    }

    @Test(arguments: CIService.all)
    func itsDefinitionIsThatOfNoOtherService(_ service: CIService) {
        let files = [service.definition, "\(service.definition)/a.yml"]
        #expect(files.contains(where: service.isDefined))
        for other in CIService.all where other.name != service.name { #expect(!files.contains(where: other.isDefined)) }
    }

    @Test func variablesAreDistinct() {
        #expect(Set(CIService.variables).count == CIService.variables.count)
    }
}
